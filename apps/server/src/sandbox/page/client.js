// The sandbox's sign-in, with the interface of Google's code client (google.accounts.oauth2.initCodeClient).
;(() => {
  const redirectUri = 'REDIRECT_URI'
  const server = new URL(document.currentScript.src).origin

  function initCodeClient(config) {
    let popup = null
    let state = ''
    let watch

    const stop = () => {
      clearInterval(watch)
      window.removeEventListener('message', listen)
      popup = null
    }
    const listen = event => {
      // Accept only our own popup, at the origin of the redirect URI, with the state of this request.
      if (event.source !== popup || event.origin !== new URL(redirectUri).origin) return
      if (event.data?.type !== 'coffer-sign-in' || event.data.state !== state) return
      const { code, error } = event.data
      stop()
      config.callback(error ? { error } : { code, state: config.state, scope: config.scope })
    }

    return {
      requestCode() {
        if (popup && !popup.closed) return popup.focus()
        const random = crypto.getRandomValues(new Uint8Array(16))
        state = `${[...random].map(byte => byte.toString(16).padStart(2, '0')).join('')}.${location.origin}`
        const query = new URLSearchParams({
          client_id: config.client_id,
          scope: config.scope,
          response_type: 'code',
          redirect_uri: redirectUri,
          prompt: 'login',
          state,
          nonce: config.nonce ?? '',
          code_challenge: config.code_challenge ?? '',
          code_challenge_method: 'S256',
        })
        popup = window.open(`${server}/sandbox/oidc/auth?${query}`, 'coffer-sign-in', 'popup,width=420,height=520')
        if (!popup) return config.error_callback?.({ type: 'popup_failed_to_open' })
        window.addEventListener('message', listen)
        let closedAt = 0
        watch = setInterval(() => {
          if (!popup.closed) return
          // The popup closes itself right after answering: its message may still be in flight.
          closedAt ||= Date.now()
          if (Date.now() - closedAt < 500) return
          stop()
          config.error_callback?.({ type: 'popup_closed' })
        }, 100)
      },
    }
  }

  window.google = { accounts: { oauth2: { initCodeClient } } }
})()
