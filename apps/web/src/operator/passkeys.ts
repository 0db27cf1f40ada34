import { Unanswered } from '../api/failure.ts'
import { loadMessages, messages } from '../i18n/messages.ts'
import { PasskeyFailure } from '../kit/passkey.ts'
import { showToast } from '../lib/toast.ts'

/** Uses a passkey, and says why the browser gave none. */
export async function tellFailure<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof PasskeyFailure)) throw error
    await loadMessages('proof')
    showToast('error', messages('proof').failures[error.reason])
    throw new Unanswered('aborted')
  }
}
