import { useEffect, useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { RequestRefused } from '../api/failure.ts'
import type { Messages } from '../i18n/areas.ts'
import { messages } from '../i18n/messages.ts'
import { cancelErrorToast } from '../lib/toast.ts'

/** A wallet's connection to the page (EIP-1193). */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>
}

/** A wallet of this browser, as it announced itself (EIP-6963). */
export interface BrowserWallet {
  id: string
  name: string
  /** Data URL of a picture, or empty. */
  icon: string
  provider: Provider
}

type Reason = keyof Messages<'proof'>['wallets']['failures']

/** Why the wallet did not sign. */
export class WalletFailure extends Error {
  override name = 'WalletFailure'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

interface Announcement {
  info?: { uuid?: unknown; name?: unknown; icon?: unknown }
  provider?: Provider
}

/** The wallets of this browser, in the order in which they answer. */
export function useWallets(): readonly BrowserWallet[] {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>([])
  useEffect(() => {
    const add = (event: Event) => {
      const { info, provider } = (event as CustomEvent<Announcement | null>).detail ?? {}
      if (!info || typeof provider?.request !== 'function') return
      const id = String(info.uuid)
      const name = String(info.name).slice(0, 40)
      const icon = String(info.icon)
      const wallet = { id, name, icon: icon.startsWith('data:image/') ? icon : '', provider }
      setWallets(known => (known.some(each => each.id === id) ? known : [...known, wallet]))
    }
    addEventListener('eip6963:announceProvider', add)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return () => removeEventListener('eip6963:announceProvider', add)
  }, [])
  return wallets
}

/** Returns what to show beside the wallets; empty for what is shown elsewhere. */
export function formatWalletError(error: unknown): string {
  if (error instanceof WalletFailure) return messages('proof').wallets.failures[error.reason]
  if (error instanceof RequestRefused) {
    cancelErrorToast(error.message)
    return error.message
  }
  showFailureToast(error as Error)
  return ''
}

/** Error codes of wallets: the person refused (EIP-1193); another request is open. */
const reasons: Record<number, Reason> = { 4001: 'canceled', [-32002]: 'open' }

/** Has the wallet sign the message that `ask` returns for its account and network. Throws WalletFailure. */
export async function signByWallet(
  { provider }: BrowserWallet,
  ask: (query: { address: string; chain_id: number }) => Promise<{ message: string }>,
): Promise<{ message: string; signature: string }> {
  const request = (method: string, params: unknown[] = []) =>
    provider.request({ method, params }).catch((error: { code?: number } | null) => {
      throw new WalletFailure(reasons[error?.code ?? 0] ?? 'failed')
    })
  const [address] = (await request('eth_requestAccounts')) as string[]
  if (!address) throw new WalletFailure('canceled')
  const { message } = await ask({ address, chain_id: Number(await request('eth_chainId')) })
  const bytes = [...new TextEncoder().encode(message)].map(byte => byte.toString(16).padStart(2, '0'))
  return { message, signature: String(await request('personal_sign', [`0x${bytes.join('')}`, address])) }
}
