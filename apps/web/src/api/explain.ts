import { messages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'
import { RequestRefused, RequestUnanswered } from './failure.ts'

/** Shows a toast for a failure. The client has already shown 422 and 401. Other errors are rethrown. */
export function showFailureToast(error: Error): void {
  const t = messages('common')
  if (error instanceof RequestRefused) {
    if (error.status !== 422 && error.status !== 401) showToast('error', error.message || t.operationFailed)
  } else if (error instanceof RequestUnanswered) {
    if (error.reason === 'duplicate' || error.reason === 'retrying') showToast('info', t.alreadySending)
    else if (error.reason !== 'aborted') showToast('error', error.reason === 'timeout' ? t.timeout : t.noConnection)
  } else throw error
}
