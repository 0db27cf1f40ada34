import type { Data, Language } from '@coffer/contract'
import { notificationType } from '@coffer/contract/codes.ts'
import { tokenLogo } from '../../http/logos.ts'
import { deviceText, placeText } from './account-messages.ts'
import { renderMessage } from './messages.ts'
import type { NotificationRow } from './store.ts'

/** A notification in the reader's language, with what its type carries besides. */
export function notification(
  { id, types, message, params, status, created_at }: NotificationRow,
  language: Language,
): Data<'GET /api/v1/message'>['list'][number] {
  const { ip = '', device = '', address = '', amount = '', token = '', chain = '', trade_no } = params
  return {
    id,
    ...renderMessage(message, params, language),
    status,
    types,
    created_time: created_at,
    ...(types === notificationType.login && {
      ip,
      device: deviceText(device, language),
      address: placeText(address, language),
    }),
    ...(types === notificationType.aggregation && { amount, currency: { token, chain, logo: tokenLogo(token) } }),
    ...(trade_no && { trade_no }),
  }
}
