import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'

export function useResend() {
  const t = useMessages('callbacks')
  const resend = useSubmit('POST /api/v1/callback/resend', {
    refreshes: ['GET /api/v1/callback/list', 'GET /api/v1/callback/detail'],
    done: t.resent,
  })
  return {
    busyId: resend.pending?.body.id ?? null,
    resend: (id: string) => resend.mutate({ body: { id } }),
  }
}
