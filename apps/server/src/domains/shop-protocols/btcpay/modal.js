// What plugins load as /modal/btcpay.js, after the script that opens checkouts: over the shop's page where its origin is allowed, else
// the payer goes there, and comes back by the invoice's redirectURL.
{
  const { origin } = new URL(document.currentScript.src)
  const [entering, leaving, receiving] = [[], [], []]
  const say = (listeners, data) => {
    for (const listener of listeners) listener(data)
  }
  const showInvoice = id => {
    say(entering)
    return window.Coffer.open(`${origin}/pay/${encodeURIComponent(id)}`, {
      onPaid: () => say(receiving, { data: { invoiceId: id, status: 'settled' } }),
      onExpired: () => say(receiving, { data: { invoiceId: id, status: 'expired' } }),
      onClosed: () => say(leaving),
    })
  }
  const nothing = () => {}
  window.btcpay = {
    showInvoice,
    appendInvoiceFrame: showInvoice,
    onModalWillEnter: listener => entering.push(listener),
    onModalWillLeave: listener => leaving.push(listener),
    onModalReceiveMessage: listener => receiving.push(listener),
    setApiUrlPrefix: nothing,
    showFrame: nothing,
    hideFrame: nothing,
  }
}
