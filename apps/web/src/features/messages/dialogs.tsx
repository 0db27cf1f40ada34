import { isUrl } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { showToast } from '../../lib/toast.ts'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'

const refreshes = ['GET /api/v1/message/channel'] as const

/** Services that can ask for signed requests. */
const signing = /^https:\/\/(open\.feishu\.cn|open\.larksuite\.com|oapi\.dingtalk\.com)\//

export function AddChannel({ onClose }: { onClose(): void }) {
  const t = useMessages('messages')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.add}
      text={t.addText}
      verb={t.add}
      size="medium"
      initial={{ name: '', url: '', secret: '' }}
      fields={({ url }) => [
        {
          name: 'url',
          label: t.url,
          hint: t.urlHint,
          required: true,
          rule: text => !isUrl(text.trim()) && common.urlAddress,
        },
        signing.test(url.trim()) && { name: 'secret', label: t.secret, hint: t.secretHint, autoComplete: 'off' },
        { name: 'name', label: t.name, required: true, maxLength: 40 },
      ]}
      proof={useProof('push-device')}
      call={({ name, url, secret }, confirmed) =>
        api('POST /api/v1/message/channel', {
          body: { name: name.trim(), url: url.trim(), secret: signing.test(url) ? secret.trim() : '', ...confirmed },
        })
      }
      refreshes={refreshes}
      done={t.added}
      result={({ secret }) =>
        secret ? (
          <div className="flex flex-col gap-3 text-sm text-ink-2">
            <p>{t.secretOnce}</p>
            <p className="rounded-lg bg-sunken px-3 py-2 font-mono text-[13px]">
              <CopyText look="whole" value={secret} label={t.secret} />
            </p>
          </div>
        ) : undefined
      }
      onClose={onClose}
    />
  )
}

export function LinkTelegram({ onClose }: { onClose(): void }) {
  const t = useMessages('messages')
  return (
    <ActionForm
      title={t.linkTelegram}
      text={t.telegramText}
      verb={t.makeLink}
      size="medium"
      proof={useProof('push-device')}
      call={(_, confirmed) => api('POST /api/v1/message/channel/telegram', { body: confirmed })}
      refreshes={refreshes}
      result={made => <OpenTelegram made={made} onLinked={onClose} />}
      onClose={onClose}
    />
  )
}

/** The link, until the chat was opened. */
function OpenTelegram({
  made: { id, link },
  onLinked,
}: {
  made: RouteData<'POST /api/v1/message/channel/telegram'>
  onLinked(): void
}) {
  const t = useMessages('messages')
  const { data } = useQuery({ ...apiQuery('GET /api/v1/message/channel', {}), refetchInterval: 2_000 })
  const isLinked = data?.list.some(each => each.id === id && each.linked) ?? false
  useEffect(() => {
    if (!isLinked) return
    showToast('success', t.linked)
    onLinked()
  }, [isLinked, onLinked, t.linked])
  return (
    <div className="flex flex-col gap-3 text-sm text-ink-2">
      <p>{t.openText}</p>
      <OutsideLink href={link}>{t.openTelegram}</OutsideLink>
    </div>
  )
}
