import type { z } from 'zod'
import type { FieldText } from '../packages/contract/src/kit/operator-parts.ts'
import type { ActionDialog, SecondOperatorRule } from '../packages/contract/src/kit/operator-route.ts'
import { type Language, languageList } from '../packages/contract/src/languages.ts'
import { operatorChangeCalls } from '../packages/contract/src/operator/calls.ts'
import { operatorRoutes } from '../packages/contract/src/operator/index.ts'

interface Declared {
  dialog: ActionDialog | null
  second?: SecondOperatorRule
  body?: z.ZodType & { shape?: Record<string, z.ZodType> }
}

const actions = operatorChangeCalls.flatMap(key => {
  const { dialog, second, body }: Declared = operatorRoutes[key]
  return dialog ? [{ key, dialog, second, body }] : []
})

/** The schema below what makes a value optional. */
const innermost = (schema: z.ZodType): z.ZodType => {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? innermost(innerType) : schema
}

const labelsOf = (schema: z.ZodType) => schema.meta()?.field as FieldText | undefined

/** Parts of a body that somebody enters. */
const enteredIn = (body: Declared['body']) =>
  Object.entries(body?.shape ?? {}).flatMap(([name, schema]) => {
    const text = labelsOf(schema)
    return text ? [{ name, schema, text }] : []
  })

/** How a part of a body is entered: what the page draws, without words. */
function describeField({ name, schema, text }: ReturnType<typeof enteredIn>[number]) {
  const { def, minValue: min, maxValue: max } = innermost(schema) as z.ZodInt
  const type = def.type as string
  if (type === 'boolean') return { name, kind: text.yes ? 'yesOrNo' : 'switch' }
  if (type === 'enum') return { name, kind: 'choice' }
  if (type === 'number') return { name, kind: 'whole', min, max }
  const { maxLength = text.max } = schema.meta() as { maxLength?: number }
  const shown = { rows: text.rows, isSubstantive: text.isSubstantive }
  return { name, kind: text.line ? 'text' : 'area', maxLength, ...shown }
}

/** The dialogs of the console for a browser, which does not load the schemas from which they are made. */
export async function generateForms(): Promise<{ path: string; content: string }[]> {
  const rows = actions.map(({ key, dialog: { look }, second, body }) => {
    const fields = body && enteredIn(body).map(describeField)
    return `  '${key}': ${JSON.stringify({ look, second, fields })},`
  })
  const content = [
    `import type { ActionCall } from '@coffer/contract/operator/calls.ts'`,
    `import type { DeclaredForm } from '../declaredForm.ts'`,
    '',
    'export const forms: Record<ActionCall, DeclaredForm> = {',
    ...rows,
    '}',
    '',
  ].join('\n')
  return [{ path: 'apps/web/src/operator/kit/generated/forms.ts', content }]
}

/** The words of those dialogs, for each language a file. */
export const generateDialogs = async (): Promise<{ path: string; content: string }[]> =>
  languageList.map(language => {
    const rows = actions.map(({ key, dialog, body }) => [key, wordsOf(dialog, body, language)])
    return {
      path: `apps/web/src/i18n/generated/dialogs-${language}.ts`,
      content: `export default ${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`,
    }
  })

function wordsOf({ button, text, done, leave, unread }: ActionDialog, body: Declared['body'], language: Language) {
  const fields = enteredIn(body).map(({ name, text: { label, hint, no, yes } }) => [
    name,
    { label: label[language], hint: hint?.[language] ?? '', no: no?.[language] ?? '', yes: yes?.[language] ?? '' },
  ])
  return {
    button: button[language],
    text: text?.[language] ?? '',
    done: done?.[language] ?? '',
    leave: leave?.[language] ?? '',
    unread: unread?.[language] ?? '',
    fields: Object.fromEntries(fields),
  }
}
