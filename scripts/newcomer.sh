#!/usr/bin/env bash
# What a newcomer does, on the real service: in an empty folder install the packed client, run its README's example, get a transcript;
# then `lipik transcribe` on a folder with a broken file in it. Ends with 0 when both do what the documentation says.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
place=$(mktemp -d)
trap '[ -n "${service:-}" ] && kill "$service" && wait "$service" || true; rm -rf "$place"' EXIT
export DATA_DIR="$place/data"

say() { printf '\n== %s\n' "$1"; }

say 'the client is packed and installed in an empty folder'
mkdir "$place/shop" "$place/recordings"
cp -r "$root/client/package.json" "$root/client/README.md" "$place/" && mkdir "$place/pack"
mv "$place/package.json" "$place/README.md" "$place/pack/"
node "$root/node_modules/typescript/bin/tsc" -p "$root/client" --outDir "$place/pack/dist"
(cd "$place/pack" && npm pack --silent --pack-destination "$place")
cd "$place/shop"
printf '{"private":true,"type":"module"}' > package.json
npm install --offline --no-audit --no-fund --silent "$place"/*.tgz
# The first block of TypeScript in the client's README.
sed -n '/^```ts$/,/^```$/{/^```/d;p};/^```$/q' "$root/client/README.md" > example.mjs

say 'a fresh service'
node "$root/bin/lipik" serve --port 0 > "$place/service.log" 2> "$place/service.err" &
service=$!
until grep -q '^Lipik is ready at' "$place/service.log"; do
  kill -0 "$service" || { cat "$place/service.err"; exit 1; }
  sleep 1
done
LIPIK_URL=$(sed -n 's/^Lipik is ready at //p' "$place/service.log")
LIPIK_TOKEN=$(node "$root/bin/lipik" token --user me)
export LIPIK_URL LIPIK_TOKEN

say "the example of the client's README"
cp "$root/assets/example.wav" call.wav
node example.mjs call.wav | tee example.out
grep -q '^call.wav completed ..' example.out

say 'lipik transcribe on a folder with a broken file in it'
cp "$root/assets/example.wav" "$place/recordings/good.wav"
echo 'this is not sound' > "$place/recordings/broken.wav"
code=0
node "$root/bin/lipik" transcribe "$place/recordings" --out "$place/transcripts" --format txt,srt || code=$?
cat "$place/transcripts/good.txt"
[ "$code" = 1 ] && [ -s "$place/transcripts/good.srt" ] && [ ! -e "$place/transcripts/broken.txt" ]

say "both work (exit code of lipik transcribe: $code)"
