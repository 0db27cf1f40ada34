import { one, type Queryable, q } from '../../kit/db.ts'

const form = /^\/uploads\/([0-9a-f]{32})\.png$/

/** Where an upload is served. */
export const uploadUrl = (name: string): string => `/uploads/${name}.png`

export const insertUpload = (
  c: Queryable,
  upload: { name: string; merchant_id: string; bytes: Buffer; created_at: number },
) =>
  q(
    c,
    'upload-insert',
    `insert into uploads (name, merchant_id, type, bytes, created_at) values ($1, $2, 'image/png', $3, $4)`,
    [upload.name, upload.merchant_id, upload.bytes, upload.created_at],
  )

export const uploadBytes = async (c: Queryable, name: string): Promise<Buffer | undefined> =>
  (await one<{ bytes: Buffer }>(c, 'upload-bytes', 'select bytes from uploads where name = $1', [name]))?.bytes

/** Whether this is the address of a picture that the merchant uploaded. */
export async function uploadIsOwn(c: Queryable, merchantId: string, url: string): Promise<boolean> {
  const [, name] = form.exec(url) ?? []
  if (!name) return false
  return (
    (await one(c, 'upload-own', 'select 1 from uploads where name = $1 and merchant_id = $2', [name, merchantId])) !==
    undefined
  )
}

export const uploadsCount = async (c: Queryable, merchantId: string): Promise<number> =>
  (await one<{ n: number }>(c, 'uploads-count', 'select count(*) as n from uploads where merchant_id = $1', [
    merchantId,
  ]))!.n
