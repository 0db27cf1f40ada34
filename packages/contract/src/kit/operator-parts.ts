import { z } from 'zod'
import { id, requiredText, substantiveReason } from './schemas.ts'

/** Parts of operators' calls. */
export const idParams = z.strictObject({ id })
export const reasonBody = z.strictObject({ reason: requiredText(200) })
/** Of what two people may have to decide. */
export const substantiveReasonBody = z.strictObject({ reason: substantiveReason })
export const awaitsSecondOperator = z.object({ waits: z.boolean() })
