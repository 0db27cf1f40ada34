import { defineHandlers } from '../../http/context.ts'
import { readPicture } from './serve-uploads.ts'
import { uploadImage } from './upload-image.ts'

/** Handlers for picture uploads. */
export const pictureHandlers = defineHandlers({
  'POST /api/v1/user/upload': async ({ deps, session: { merchantId }, request }) =>
    uploadImage(deps, { merchantId, bytes: await readPicture(request) }),
})
