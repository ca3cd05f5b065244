import { address, choice, flag, integer, optional, secret, text } from './setting.ts'

export const serverSettings = {
  PORT: integer('Port to listen on; 0 takes a free one.', 8080, { min: 0, max: 65_535 }),
  HOST: text('Address to listen on. `0.0.0.0` opens the service to the network.', '127.0.0.1', 'address or host name'),
  BASE_PATH: text(
    'Path under which everything lies, for a service behind a proxy that does not strip it.',
    '',
    'empty, or a path such as `/speech`',
    /^$|^(\/[\w.~-]+)+$/,
  ),
  APP_ENV: choice('`development` adds the job counters of the specification to status and results.', 'production', [
    'production',
    'development',
  ]),
  DATA_DIR: text(
    'Folder for everything the service keeps: database, objects, spool, signing key.',
    './data',
    'folder',
    /./,
  ),
  LOG_LEVEL: choice('Least serious line that is written to standard error.', 'info', [
    'silent',
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
  ]),
  MAX_JSON_BYTES: integer('Largest JSON body of a request.', 16_777_216, { min: 1_024, unit: 'bytes' }),
}

export const databaseSettings = {
  DATABASE_URL: optional(
    address(
      'PostgreSQL 14 or newer to keep state and queue in.',
      /^postgres(ql)?$/,
      '`postgresql://user:password@host:port/name`',
    ),
    'a PostgreSQL of its own in `DATA_DIR`',
  ),
  DATABASE_MAX_CONNECTIONS: integer('Connections each process may hold.', 10, { min: 2, max: 1_000 }),
}

export const storageSettings = {
  STORAGE_URL: optional(
    text(
      'Where audio objects are kept: a folder, Google Cloud Storage, or anything that speaks S3.',
      '',
      '`file:FOLDER`, `gs://BUCKET/PREFIX` or `s3://BUCKET/PREFIX`',
      /^(file:.|(gs|s3):\/\/[a-z0-9][a-z0-9._-]+)/,
    ),
    '`objects` in `DATA_DIR`',
  ),
  S3_ENDPOINT: optional(address('Server to use instead of Amazon, for example a MinIO.', /^https?$/, '`https://host`')),
  S3_REGION: text('Region of the bucket.', 'us-east-1', 'region name', /./),
  S3_PATH_STYLE: flag('For servers that want the bucket in the path rather than in the host name.', false),
  S3_ACCESS_KEY_ID: optional(text('Key id.', ''), "the machine's own credentials (`AWS_*`, role, profile)"),
  S3_SECRET_ACCESS_KEY: optional(secret('Secret of that key.')),
  GCS_ENDPOINT: optional(address('Server to use instead of Google.', /^https?$/, '`https://host`')),
  GCS_PROJECT_ID: optional(text('Project of the bucket.', ''), "the machine's own credentials"),
}

export const authSettings = {
  AUTH_JWKS_URL: optional(
    address('Published keys that tokens are checked with.', /^https?$/, '`https://issuer/.well-known/jwks.json`'),
    'the service issues its own tokens (`lipik token`)',
  ),
  AUTH_JWKS_FILE: optional(text('The same as a file; not together with `AUTH_JWKS_URL`.', '', 'file')),
  AUTH_ISSUER: optional(text('Required `iss` of a token.', ''), 'not checked'),
  AUTH_AUDIENCE: optional(text('Required `aud` of a token.', ''), 'not checked'),
  AUTH_JWKS_MAX_AGE_SECONDS: integer('Published keys are read again after this long.', 600, {
    min: 1,
    unit: 'seconds',
  }),
  AUTH_JWKS_COOLDOWN_SECONDS: integer('Least time between two readings that unknown keys cause.', 30, {
    min: 0,
    unit: 'seconds',
  }),
}

export const consoleSettings = {
  CONSOLE_ENABLED: flag('Serves the web console at the root.', true),
  CONSOLE_DIR: optional(text('Folder of the built console.', '', 'folder'), 'the one built with the service'),
  OIDC_ISSUER: optional(
    address('OpenID Connect issuer that people sign in with at the console.', /^https?$/, '`https://issuer`'),
    'people paste a token',
  ),
  OIDC_CLIENT_ID: optional(
    text('The console at that issuer: a public client with PKCE, redirected to its own address.', ''),
  ),
  OIDC_SCOPE: text('What is asked for there.', 'openid', 'names separated by spaces', /./),
  OIDC_TOKEN: choice('Which of its tokens the service is given.', 'access_token', ['access_token', 'id_token']),
}
