// What plugins load as /modal/btcpay.js. Pages of shops may not frame the checkout, so that none can lay anything over an address:
// the payer goes there instead, and comes back by the invoice's redirectURL.
{
  const { origin } = new URL(document.currentScript.src)
  const listeners = []
  const showInvoice = id => {
    for (const listener of listeners) listener()
    location.assign(`${origin}/i/${encodeURIComponent(id)}`)
  }
  const nothing = () => {}
  window.btcpay = {
    showInvoice,
    appendInvoiceFrame: showInvoice,
    onModalWillEnter: listener => listeners.push(listener),
    onModalWillLeave: nothing,
    onModalReceiveMessage: nothing,
    setApiUrlPrefix: nothing,
    showFrame: nothing,
    hideFrame: nothing,
  }
}
