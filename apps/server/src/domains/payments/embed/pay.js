// What a shop's page loads as /pay.js: it opens checkouts in a window over the page, where the application allows its origin, and
// elsewhere leads to them.
{
  const { origin } = new URL(document.currentScript.src)
  const isChinese = () => /^zh/i.test(document.documentElement.lang || navigator.language)
  let shown

  /** The URL of a checkout or payment link of this server, or null. */
  const checkoutOf = text => {
    if (!URL.canParse(text, origin)) return null
    const url = new URL(text, origin)
    return url.origin === origin && /^\/(?:pay|l)\/[\w-]+$/.test(url.pathname) ? url : null
  }

  /** Whether the server lets this page frame the URL. */
  const mayFrame = url =>
    fetch(url, { method: 'HEAD', credentials: 'omit' }).then(
      answer => answer.ok,
      () => false,
    )

  const styled = (element, style) => Object.assign(element.style, style) && element

  function frameOf(url) {
    const frame = styled(document.createElement('iframe'), { width: '100%', flex: '1', border: '0' })
    frame.title = isChinese() ? '付款' : 'Payment'
    frame.allow = 'clipboard-write'
    frame.src = url
    return frame
  }

  /** In a row of its own, so that it covers nothing of the checkout. */
  function closeButton() {
    const button = styled(document.createElement('button'), {
      ...{ flex: 'none', alignSelf: 'flex-end', width: '44px', height: '44px', padding: '0', border: '0' },
      ...{ background: 'none', color: 'inherit', font: '24px/1 sans-serif', cursor: 'pointer' },
    })
    button.type = 'button'
    button.setAttribute('aria-label', isChinese() ? '关闭' : 'Close')
    button.textContent = '×'
    return button
  }

  /** Shows the URL in a modal dialog, which keeps the focus, until it is closed. On a phone it fills the screen. */
  function show(url, options) {
    const small = matchMedia('(max-width: 600px)').matches
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const dialog = styled(document.createElement('dialog'), {
      ...{
        padding: '0',
        border: '0',
        ...{
          overflow: 'hidden',
          display: 'flex',
          flexDirection: 'column',
          boxShadow: '0 0 0 100vmax rgb(0 0 0 / 0.5)',
        },
        // As the checkout has them.
        ...(dark ? { background: '#0d1117', color: '#e7ebf1' } : { background: '#f6f7f9', color: '#141a24' }),
      },
      ...(small
        ? { width: '100vw', maxWidth: '100vw', height: '100dvh', maxHeight: '100dvh', margin: '0' }
        : {
            width: '512px',
            height: 'min(840px, 94vh)',
            borderRadius: '12px',
            position: 'fixed',
            inset: '0',
            margin: 'auto',
          }),
    })
    dialog.setAttribute('aria-label', isChinese() ? '付款' : 'Payment')
    const frame = frameOf(url)
    const close = closeButton()
    dialog.append(close, frame)
    const before = document.activeElement
    const said = new Set()
    const tell = (event, detail = {}) => {
      options[`on${event[0].toUpperCase()}${event.slice(1)}`]?.(detail)
      document.dispatchEvent(new CustomEvent(`coffer:${event}`, { detail }))
    }
    const heard = ({ source, origin: from, data }) => {
      if (source !== frame.contentWindow || from !== origin || data?.coffer !== 1) return
      if (data.event === 'escape') return dialog.close()
      if (['paid', 'expired'].includes(data.event) && !said.has(data.event)) {
        said.add(data.event)
        tell(data.event, { trade_no: data.trade_no })
      }
    }
    addEventListener('message', heard)
    close.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      removeEventListener('message', heard)
      dialog.remove()
      shown = undefined
      before?.focus?.()
      tell('closed')
    })
    document.body.append(dialog)
    dialog.showModal()
    shown = dialog
  }

  /**
   * Opens a `pay_url` or the URL of a payment link over the page, or goes there. `options` may have `onPaid`, `onExpired` and `onClosed`.
   * What they say is for the page only: a server learns of payments by callbacks.
   */
  async function open(text, options = {}) {
    const url = checkoutOf(text)
    if (!url) throw new TypeError(`not a checkout of ${origin}: ${text}`)
    if (shown) return
    const framed = new URL(url)
    framed.searchParams.set('embed', location.origin)
    if (await mayFrame(framed)) {
      if (!shown) show(framed.href, options)
    } else location.assign(url.href)
  }

  window.Coffer = { open, close: () => shown?.close() }
  document.addEventListener('click', event => {
    const button = event.target.closest?.('[data-coffer-pay]')
    // The page may also have loaded the script of BTCPay, which holds this one.
    if (!button || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void open(button.dataset.cofferPay || button.href)
  })
}
