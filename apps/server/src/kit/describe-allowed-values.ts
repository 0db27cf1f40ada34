import { describeFieldRequirement } from './refusal.ts'

/** The detail of a refusal that names a field and the values it may have. */
export const describeAllowedValues = (field: string, values: Iterable<string>) => {
  const list = [...new Set(values)]
  return describeFieldRequirement(field, `one of ${list.join(', ')}`, `可选值为 ${list.join('、')}`)
}
