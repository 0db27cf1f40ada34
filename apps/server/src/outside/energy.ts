/** Energy to be delegated to an address on TRON for some time. */
export interface EnergyOrder {
  /** The same for each request of one order: a provider fills it once. */
  id: string
  /** In base58. */
  address: string
  energy: string
}

/** Seconds for which energy is rented: a sweep takes two minutes, and another attempt as long. */
const rentedFor = 600

/**
 * Orders energy from a provider by a POST with JSON, paid in advance. What stands before the `@` of its URL is sent as
 * bearer token. Rejects unless the provider accepts.
 */
export async function rentEnergy(provider: string, order: EnergyOrder): Promise<void> {
  const url = new URL(provider)
  const token = decodeURIComponent(url.username)
  url.username = ''
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ ...order, energy: Number(order.energy), seconds: rentedFor }),
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the provider of energy answered ${answer.status}`)
}
