import { count, first, type Queryable, run } from '../../kit/db.ts'

/** Returns the path at which an upload is served. */
export const uploadUrl = (name: string): string => `/uploads/${name}.png`

export const insertUpload = run(
  'upload-insert',
  `insert into uploads (name, merchant_id, type, bytes, created_at) values ($1, $2, 'image/png', $3, $4)`,
)
export const readUpload = first('upload-bytes', 'select bytes from uploads where name = $1')
export const countUploads = count('uploads-count', 'select count(*) as n from uploads where merchant_id = $1')

const own = run('upload-own', 'select 1 from uploads where name = $1 and merchant_id = $2')

/** Reports whether a path is that of an upload of the merchant. */
export async function isOwnUpload(c: Queryable, merchantId: string, url: string): Promise<boolean> {
  const [, name] = /^\/uploads\/([0-9a-f]{32})\.png$/.exec(url) ?? []
  return name !== undefined && (await own(c, name, merchantId)) > 0
}
