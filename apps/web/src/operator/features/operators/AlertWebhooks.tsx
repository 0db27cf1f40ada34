import { isUrl } from '@coffer/contract/kit/validators.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { type AlertKind, alertKinds } from '@coffer/contract/operator/names.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { HealthStatus, RowsCard, Stack } from '../../kit/Rows.tsx'

type Hook = OperatorData<'GET /api/operator/v1/alert-hooks'>['list'][number]

/** The systems that get alerts as signed JSON. Owners see them: a URL may hold a token. */
export function AlertWebhooks() {
  const t = useMessages('operator-alerts')
  const form = useHookForm()
  return (
    <RowsCard
      title={t.hooks}
      className="mt-4"
      actions={
        <ActionButton
          call="POST /api/operator/v1/alert-hooks"
          form={form({ url: '', kinds: alertKinds })}
          result={({ secret }) => <Secret value={secret} />}
        />
      }
      columns={[
        { title: t.url, sticky: 'start', cell: row => <span className="block min-w-48 break-all">{row.url}</span> },
        { title: t.last, cell: row => <Last of={row} /> },
        { title: t.about, cell: row => <span className="block min-w-40">{kindsText(t, row.kinds)}</span> },
        { title: t.oldSecret, cell: row => row.previous_until > 0 && <Time seconds={row.previous_until} /> },
      ]}
      rowActions={row => (
        <span className="inline-flex gap-2 max-sm:flex-wrap">
          <ActionButton
            call="POST /api/operator/v1/alert-hooks/:id/test"
            params={{ id: row.id }}
            facts={{ url: row.url }}
            result={({ ok, result }) => <p className="text-sm">{ok ? t.testDone(result) : t.testFailed(result)}</p>}
          />
          <ActionButton
            call="PUT /api/operator/v1/alert-hooks/:id"
            params={{ id: row.id }}
            title={t.hooks}
            form={form(row)}
          />
          <ActionButton
            call="POST /api/operator/v1/alert-hooks/:id/renew"
            params={{ id: row.id }}
            result={({ secret }) => <Secret value={secret} />}
          />
          <ActionButton
            call="DELETE /api/operator/v1/alert-hooks/:id"
            params={{ id: row.id }}
            facts={{ url: row.url }}
          />
        </span>
      )}
      read={useRead('GET /api/operator/v1/alert-hooks', {})}
      empty={t.noHooks}
      icon="webhook"
      lines={2}
    />
  )
}

const kindsText = (t: ReturnType<typeof useMessages<'operator-alerts'>>, kinds: readonly AlertKind[]) =>
  kinds.length === alertKinds.length ? t.allKinds : kinds.map(kind => t.hookKinds[kind]).join(' · ')

/** How the last alert ended. */
function Last({ of: { last } }: { of: Hook }) {
  const t = useMessages('operator-alerts')
  const [newest] = last
  if (!newest?.result) return t.noneYet
  const isSent = newest.done_time > 0 && newest.result.startsWith('HTTP 2')
  return (
    <Stack>
      <HealthStatus bad={!isSent} text={newest.result} />
      <Time seconds={newest.done_time || newest.created_time} />
    </Stack>
  )
}

function Secret({ value }: { value: string }) {
  const t = useMessages('operator-alerts')
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{t.secretText}</p>
      <CopyText look="whole" value={value} />
    </div>
  )
}

/** Fields of a hook: its URL, and a switch for each kind. */
function useHookForm() {
  const t = useMessages('operator-alerts')
  const { urlAddress } = useMessages('common')
  return ({ url, kinds }: { url: string; kinds: readonly AlertKind[] }) => {
    const on = Object.fromEntries(alertKinds.map(kind => [kind, kinds.includes(kind)])) as Record<AlertKind, boolean>
    return {
      initial: { url, ...on },
      fields: [
        {
          ...({ name: 'url', label: t.url, required: true, maxLength: 500, spellCheck: false } as const),
          rule: (value: string) => !isUrl(value.trim()) && urlAddress,
        },
        ...alertKinds.map(name => ({ name, kind: 'switch', label: t.hookKinds[name] }) as const),
      ],
      body: ({ url, ...wanted }: { url: string } & Record<AlertKind, boolean>) => ({
        url: url.trim(),
        kinds: alertKinds.filter(kind => wanted[kind]),
      }),
    }
  }
}
