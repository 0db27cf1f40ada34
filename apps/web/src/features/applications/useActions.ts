import { applicationStatus } from '@coffer/contract/codes.ts'
import { refresh, useSubmit } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { confirm } from '../../ui/feedback/Confirm.tsx'
import type { Application } from './settings.ts'

/** What needs no form: enable, disable, send a test callback. */
export function useActions() {
  const t = useMessages('applications')
  const edit = useSubmit('PUT /api/v1/user/secret-key')
  const test = useSubmit('POST /api/v1/callback/test')
  return {
    async toggle({ appid, name, status }: Application) {
      const enabled = status === applicationStatus.enabled
      const question = { title: t.disableTitle, text: t.disableText(name), action: t.disable, danger: true }
      if (enabled && !(await confirm(question))) return
      const next = enabled ? applicationStatus.disabled : applicationStatus.enabled
      edit.mutate(
        { body: { appid, status: next } },
        {
          onSuccess: async () => {
            await refresh('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
            showToast('success', enabled ? t.disabled(name) : t.enabled(name))
          },
        },
      )
    },
    sendTest: ({ appid }: Application) =>
      test.mutate({ body: { appid } }, { onSuccess: () => showToast('success', t.testSent) }),
  }
}
