export type FormFile = { readonly name?: string; readonly filename?: string; readonly bytes: Buffer | string }

export const BOUNDARY = 'lipik-test-boundary'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

/** A multipart body written by hand, so that a test can say exactly what stands in it. */
export function multipartForm(files: readonly FormFile[]): Buffer {
  const parts = files.flatMap(({ name = 'files', filename, bytes }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: audio/wav`),
    Buffer.from('\r\n\r\n'),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}
