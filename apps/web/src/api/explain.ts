import { messages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'
import { Refused, Unanswered } from './failure.ts'

/** Tells the person about a failure nobody has told them about yet (a 422 has been, and so has an ended login). */
export function explainFailure(error: Error): void {
  const t = messages('common')
  if (error instanceof Refused) {
    if (error.status !== 422 && error.status !== 401) showToast('error', error.message || t.operationFailed)
  } else if (error instanceof Unanswered) {
    if (error.reason === 'duplicate' || error.reason === 'retrying') showToast('info', t.alreadySending)
    else if (error.reason !== 'aborted') showToast('error', error.reason === 'timeout' ? t.timeout : t.noConnection)
  } else throw error
}
