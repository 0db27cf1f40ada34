import { z } from 'zod'
import { id, reasonInWords, required } from './schemas.ts'

/** Parts of operators' calls. */
export const withId = z.strictObject({ id })
export const reason = z.strictObject({ reason: required(200) })
/** Of what two people may have to decide. */
export const inWords = z.strictObject({ reason: reasonInWords })
export const waits = z.object({ waits: z.boolean() })
