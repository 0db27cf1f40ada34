import { refresh } from '../../api/query.ts'
import { useSubmit } from '../../api/submit.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'

export function useResend() {
  const t = useMessages('callbacks')
  const resend = useSubmit('POST /api/v1/callback/resend')
  return {
    busyId: resend.isPending ? resend.variables.body.id : null,
    resend: (id: string) =>
      resend.mutate(
        { body: { id } },
        {
          onSuccess: async () => {
            showToast('success', t.resent)
            await refresh('GET /api/v1/callback/list', 'GET /api/v1/callback/detail')
          },
        },
      ),
  }
}
