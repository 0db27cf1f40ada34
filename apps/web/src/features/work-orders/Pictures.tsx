import { api, open } from '../../api/index.ts'
import type { LoadPicture } from '../../kit/pictures/Picture.tsx'
import { Pictures } from '../../kit/pictures/Pictures.tsx'

const upload = (body: FormData) => api('POST /api/v1/work-order/picture', { body, guarded: false })

export const loadPicture: LoadPicture = async (id, signal) =>
  (await open('GET /api/v1/work-order/picture', { query: { id }, signal })).blob()

/** Pictures of the merchant's message. */
export const MerchantPictures = (props: { value: string[]; onChange(ids: string[]): void }) => (
  <Pictures {...props} upload={upload} load={loadPicture} />
)
