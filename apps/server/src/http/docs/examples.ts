/** A payment as the documentation creates it. */
export const exampleOrder = { out_trade_no: 'first-1', amount: '10', currency: 'USDT' } as const

export const curlExample = (publicUrl: string) => `curl ${publicUrl}/api/v1/pay/orders \\
  -H "Authorization: Bearer $COFFER_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(exampleOrder)}'`

export const sdkExample = (publicUrl: string) => `import { Coffer, verifyWebhook } from '@coffer/sdk'

const coffer = new Coffer({ baseUrl: '${publicUrl}', secretKey: process.env.COFFER_KEY })
const order = await coffer.createOrder(${JSON.stringify(exampleOrder)})
console.log(order.pay_url)

// In the route that takes callbacks; throws unless the signature is right.
const event = verifyWebhook({ secret: process.env.COFFER_WEBHOOK_SECRET, headers, body })
if (event.type === 'payment.paid') console.log(event.data.out_trade_no)`

export const pythonExample = `from standardwebhooks.webhooks import Webhook

event = Webhook(os.environ["COFFER_WEBHOOK_SECRET"]).verify(request.body, request.headers)`
