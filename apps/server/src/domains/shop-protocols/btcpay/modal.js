// What plugins load as /modal/btcpay.js, after the script that opens checkouts: over the shop's page where its origin is allowed, else
// the payer goes there, and comes back by the invoice's redirectURL.
{
  const { origin } = new URL(document.currentScript.src)
  // One of each: plugins set theirs anew whenever they show an invoice.
  const listeners = {}
  const listen = name => listener => {
    listeners[name] = listener
  }
  const say = (name, data) => listeners[name]?.(data)
  const showInvoice = id => {
    say('enter')
    const tell = status => say('message', { origin, data: { invoiceId: id, status } })
    return window.Coffer.open(`${origin}/pay/${encodeURIComponent(id)}`, {
      onPaid: () => tell('Settled'),
      onExpired: () => tell('Expired'),
      onClosed() {
        say('leave')
        // Plugins unlock the shop's form by it.
        say('message', { origin, data: 'close' })
      },
    })
  }
  const nothing = () => {}
  window.btcpay = {
    showInvoice,
    appendInvoiceFrame: showInvoice,
    onModalWillEnter: listen('enter'),
    onModalWillLeave: listen('leave'),
    onModalReceiveMessage: listen('message'),
    setApiUrlPrefix: nothing,
    showFrame: nothing,
    hideFrame: () => window.Coffer.close(),
  }
}
