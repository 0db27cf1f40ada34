import { useMessages } from '../i18n/messages.ts'
import { useSubmit } from './useSubmit.ts'

/** Cancels the claim link of a refund, after a question. */
export function useCancelRefundLink() {
  const t = useMessages('refunds')
  return useSubmit('POST /api/v1/transactions/refund-link/cancel', {
    ask: {
      title: t.cancelLinkTitle,
      text: t.cancelLinkText,
      action: t.cancelLinkSure,
      leave: t.keepLink,
      danger: true,
    },
    refreshes: [
      'GET /api/v1/transactions/refund-link',
      'GET /api/v1/transactions/refund-link-list',
      'GET /api/v1/transactions/detail',
      'GET /api/v1/transactions/list',
    ],
    done: t.linkCanceled,
  })
}
