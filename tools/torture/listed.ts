/**
 * Asks each server for the newest records of the back-office, which it may read from a replica. Returns how many do not
 * list a payment that was confirmed before. One that does not answer tells nothing.
 */
export async function countUnlisted(urls: readonly string[], token: string, tradeNo: string): Promise<number> {
  const asked = urls.map(async url => {
    const response = await fetch(`${url}/api/v1/transactions/list?current=1&pageSize=100`, {
      headers: { 'x-token': token },
      signal: AbortSignal.timeout(5_000),
    })
    if (!response.ok) return 0
    const { data } = (await response.json()) as { data: { list: { trade_no: string }[] } }
    return data.list.some(each => each.trade_no === tradeNo) ? 0 : 1
  })
  const answers = await Promise.allSettled(asked)
  return answers.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0)
}
