import { first, type Queryable, run } from '../../kit/db.ts'

const form = /^\/uploads\/([0-9a-f]{32})\.png$/

/** Returns the URL path of an upload. */
export const uploadUrl = (name: string): string => `/uploads/${name}.png`

const insert = run(
  'upload-insert',
  `insert into uploads (name, merchant_id, type, bytes, created_at) values ($1, $2, 'image/png', $3, $4)`,
)

export const insertUpload = (
  c: Queryable,
  upload: { name: string; merchant_id: string; bytes: Buffer; created_at: number },
) => insert(c, upload.name, upload.merchant_id, upload.bytes, upload.created_at)

const readBytes = first('upload-bytes', 'select bytes from uploads where name = $1')

export const uploadBytes = async (c: Queryable, name: string): Promise<Buffer | undefined> =>
  (await readBytes(c, name))?.bytes

const own = run('upload-own', 'select 1 from uploads where name = $1 and merchant_id = $2')

/** Reports whether the URL belongs to an upload of the merchant. */
export async function uploadIsOwn(c: Queryable, merchantId: string, url: string): Promise<boolean> {
  const [, name] = form.exec(url) ?? []
  return name !== undefined && (await own(c, name, merchantId)) > 0
}

const count = first('uploads-count', 'select count(*) as n from uploads where merchant_id = $1')

export const uploadsCount = async (c: Queryable, merchantId: string): Promise<number> => (await count(c, merchantId))!.n
