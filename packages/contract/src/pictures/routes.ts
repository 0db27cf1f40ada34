import { z } from 'zod'
import { assistingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'

export const pictureRoutes = defineRoutes({
  'POST /api/v1/user/upload': {
    who: assistingRoles,
    kind: 'multipart',
    summary:
      'Upload a picture (field `file`): png, jpg, jpeg or gif under 3M. It is re-encoded and served under a random name.',
    data: z.object({ url: z.string() }),
  },
})
