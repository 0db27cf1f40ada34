import { z } from 'zod'
import type { Language } from '../languages.ts'
import { id, requiredText, substantiveReason } from './schemas.ts'

/** How a value of a body is entered in the dialog of its call. */
export interface FieldText {
  label: Record<Language, string>
  hint?: Record<Language, string>
  /** Text in one line; other text has several. */
  line?: true
  /** Lines of an area. */
  rows?: number
  /** Of what is so or not: it is chosen by these names, in place of a switch. */
  no?: Record<Language, string>
  yes?: Record<Language, string>
  /** A reason that somebody else can judge by. */
  isSubstantive?: true
  /** Most characters, where the schema does not say it. */
  max?: number
}

/** A part of a body that has a field in the dialog of its call. What has no label is known to the page. */
export const labelled = <T extends z.ZodType>(schema: T, field: FieldText): T => schema.meta({ field })

/** An operator who acted: the person, empty for a user of the command line, and the e-mail at the time. */
export const operatorName = z.object({ id: z.string(), email: z.string() })

/** Parts of operators' calls. */
export const idParams = z.strictObject({ id })
export const reasonBody = z.strictObject({
  reason: labelled(requiredText(200), { label: { en: 'Reason', 'zh-CN': '原因' } }),
})
/** A reason that the merchant reads. */
export const reasonForMerchantBody = z.strictObject({
  reason: labelled(requiredText(200), {
    label: { en: 'Reason (visible to the merchant)', 'zh-CN': '原因（商户可见）' },
  }),
})
const reasonMax = 200
/** Of what two people may have to decide. */
export const substantiveReasonBody = z.strictObject({
  reason: labelled(substantiveReason, {
    label: { en: 'Reason, for other operators to decide by', 'zh-CN': '原因（供其他运营人员判断）' },
    isSubstantive: true,
    max: reasonMax,
  }),
})
export const awaitsSecondOperator = z.object({ waits: z.boolean() })
