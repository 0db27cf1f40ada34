/**
 * Searches the records of the back-office, which a server may read from a replica, for a payment that was confirmed
 * before, on each server. Returns how many do not list it. One that does not answer tells nothing.
 */
export async function countUnlisted(urls: readonly string[], token: string, tradeNo: string): Promise<number> {
  const asked = urls.map(async url => {
    const response = await fetch(`${url}/api/v1/transactions/list?current=1&pageSize=10&trade_no=${tradeNo}`, {
      headers: { 'x-token': token },
      signal: AbortSignal.timeout(5_000),
    })
    if (!response.ok) return 0
    const { data } = (await response.json()) as { data: { list: { trade_no: string }[] } }
    if (data.list.some(each => each.trade_no === tradeNo)) return 0
    console.log(`${tradeNo} was not listed at ${new Date().toISOString()} by ${url}`)
    return 1
  })
  const answers = await Promise.allSettled(asked)
  return answers.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0)
}
