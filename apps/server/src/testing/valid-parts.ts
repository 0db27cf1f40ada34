import { emailCodePurpose, type RouteKey } from '@coffer/contract'
import { generateSync } from 'otplib'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sendEmailCode, sendPhoneCode } from '../domains/identity/codes/send-code.ts'
import { offerAuthenticator } from '../domains/identity/factors/authenticator.ts'
import { offerPasskeyRegistration } from '../domains/identity/factors/passkeys.ts'
import { requestWalletMessage } from '../domains/identity/wallets/wallets.ts'
import { newId } from '../kit/ids.ts'
import { codeIn, visitor } from './merchants.ts'
import { eth, type MoneyWorld } from './money.ts'
import type { Owned } from './owned.ts'
import { softPasskey } from './passkeys.ts'

/**
 * Returns what makes a request of `requestsOf` valid where that needs codes, offers and signatures that are made now.
 */
export function validParts(
  { deps, owner, merchant }: MoneyWorld,
  owned: Owned,
): Partial<Record<RouteKey, () => Promise<object>>> {
  const setOrder = async (number: string, status: number, closed: number | null): Promise<object> => {
    await owner.query('update work_orders set status = $2, closed_at = $3 where number = $1', [number, status, closed])
    return {}
  }
  return {
    'POST /api/v1/pay/orders': async () => ({ out_trade_no: newId() }),
    'POST /api/v1/pay/addresses': async () => ({ reference: newId() }),
    'PUT /api/v1/user/secret-key/rates': async () => ({ spread: '1', sources: ['market'], fixed: [], own: [] }),
    'PUT /api/v1/user/secret-key/notify-url': async () => ({ notify_url: 'https://93.184.216.34/' }),
    'PUT /api/v1/user/mailbox': async () => {
      const purpose = emailCodePurpose.updateMailboxNew
      await sendEmailCode(deps, {
        purpose,
        email: 'elsewhere@example.com',
        session: { merchantId: merchant.id, personId: merchant.id },
        from: visitor,
      })
      return { code: codeIn(deps.mails.at(-1)) }
    },
    'PUT /api/v1/user/phone': async () => {
      const number = { phone: '55512345', area_code: '44' }
      await sendPhoneCode(deps, {
        purpose: 1,
        ...number,
        session: { merchantId: merchant.id, personId: merchant.id },
        from: visitor,
      })
      return { code: codeIn(deps.texts.at(-1)) }
    },
    'POST /api/v1/user/google-auth': async () => {
      const { offer, secret } = await offerAuthenticator(deps, { personId: merchant.id, merchantId: merchant.id })
      return { offer, google_code: generateSync({ secret, epoch: deps.clock() }) }
    },
    'POST /api/v1/user/wallet': async () => {
      const wallet = privateKeyToAccount(generatePrivateKey())
      const query = { address: wallet.address.toLowerCase(), chain_id: eth.chainId! }
      const { message } = await requestWalletMessage(deps, merchant.session, query)
      return { message, signature: await wallet.signMessage({ message }) }
    },
    // A close of an earlier test ended the one, or a reopening the other.
    'POST /api/v1/work-order/reply': () => setOrder(owned.workOrder, 1, null),
    'POST /api/v1/work-order/close': () => setOrder(owned.workOrder, 1, null),
    'POST /api/v1/work-order/reopen': () => setOrder(owned.closedOrder, 3, deps.clock()),
    'POST /api/v1/message/push': async () => ({ endpoint: `https://push.example/${newId()}` }),
    'POST /api/v1/user/passkey': async () => ({
      passkey: softPasskey().create(await offerPasskeyRegistration(deps, merchant.session)),
    }),
  }
}
