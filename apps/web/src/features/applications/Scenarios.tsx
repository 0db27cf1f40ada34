import { isUrl } from '@coffer/contract/kit/validators.ts'
import { languages } from '@coffer/contract/languages.ts'
import type { ScenarioReport } from '@coffer/contract/sandbox/answers.ts'
import { useQuery } from '@tanstack/react-query'
import { RequestRefused } from '../../api/index.ts'
import { language } from '../../i18n/language.ts'
import { messages, useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import type { Application } from './settings.ts'

/** How often the report is read while scenarios run (ms). */
const pollMs = 1_500

/** The dialog that tests a callback endpoint with what happens to orders, in a sandbox. */
export default function Scenarios({ application, onClose }: { application: Application; onClose(): void }) {
  const { appid, notify_url } = application
  const t = useMessages('applications')
  const common = useMessages('common')
  const rule = (text: string) => text.trim() !== '' && !isUrl(text.trim()) && common.urlAddress
  return (
    <ActionForm<{ endpoint: string; status_url: string }, { id: string }>
      title={t.scenarios}
      text={t.scenariosText}
      verb={t.scenariosStart}
      size="medium"
      onClose={onClose}
      initial={{ endpoint: notify_url, status_url: '' }}
      fields={[
        { name: 'endpoint', label: t.endpoint, type: 'url', required: true, placeholder: 'https://', rule },
        { name: 'status_url', label: t.statusUrl, hint: t.statusUrlHint, type: 'url', placeholder: 'https://', rule },
      ]}
      call={({ endpoint, status_url }) =>
        call('scenarios', { appid, endpoint: endpoint.trim(), status_url: status_url.trim() })
      }
      result={({ id }) => <Report id={id} />}
    />
  )
}

const kindOf = { running: 'processing', handled: 'success', failed: 'error', broken: 'closed' } as const

/** Each scenario with its verdict, what the endpoint got and answered, and why it failed. */
function Report({ id }: { id: string }) {
  const t = useMessages('applications')
  const { data, error, refetch } = useQuery({
    queryKey: ['scenarios', id],
    queryFn: async () => (await call<{ list: ScenarioReport[] }>(`scenarios/${id}`)).list,
    refetchInterval: ({ state }) => (state.data?.every(each => each.state !== 'running') ? false : pollMs),
  })
  if (!data) return <Loading of={{ error, refetch }} className="h-80 w-full" />
  const ended = data.filter(each => each.state !== 'running')
  const handled = data.filter(each => each.state === 'handled')
  return (
    <>
      <p role="status" className="mb-3 text-sm text-ink-2">
        {ended.length < data.length
          ? t.scenariosRunning(ended.length, data.length)
          : t.scenariosDone(handled.length, data.length)}
      </p>
      <ul className="divide-y divide-line border-y border-line text-[13px]">
        {data.map(({ name, title, state, sent, why }) => (
          <li key={name} className="py-2.5">
            <div className="flex items-center justify-between gap-4">
              <span className="font-medium">{title}</span>
              <Badge kind={kindOf[state]}>{t.scenarioStates[state]}</Badge>
            </div>
            {why && <p className="mt-1 text-bad first-letter:uppercase">{why}</p>}
            {sent.length > 0 && (
              <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-ink-3">
                {[...Map.groupBy(sent, ({ event, forged }) => (forged ? `${event} ${t.forged}` : event))].map(
                  ([event, of]) => (
                    <span key={event}>
                      {event} <span className="num">{of.map(({ status }) => status || t.noResponse).join(', ')}</span>
                    </span>
                  ),
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Calls a route of the sandbox, which is not in the contract. */
async function call<T>(path: string, body?: object): Promise<T> {
  const headers = { 'X-Language': languages[language.get()].tag, 'Content-Type': 'application/json' }
  const response = await fetch(
    `/sandbox/${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  const { code = 0, msg, field, data } = await response.json().catch(() => ({}))
  if (code !== 200) throw new RequestRefused(response.status, code, msg ?? messages('common').operationFailed, field)
  return data
}
