import { refresh } from '../../api/query.ts'
import { showToast } from '../../lib/toast.ts'

/** Refetches the account after a change, then shows a toast and closes the dialog. */
export async function done(text: string, onClose: () => void): Promise<void> {
  await refresh('GET /api/v1/user/info', 'GET /api/v1/user/sessions', 'GET /api/v1/user/log')
  showToast('success', text)
  onClose()
}
