// Posts the code to the opener of this popup. The target origin comes from the state and must be local.
const query = new URLSearchParams(location.search)
const state = query.get('state') ?? ''
const origin = state.slice(state.indexOf('.') + 1)

function isLocalOrigin(text) {
  try {
    const { hostname, origin: exact } = new URL(text)
    return exact === text && (exact === location.origin || ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  } catch {
    return false
  }
}

if (window.opener && isLocalOrigin(origin)) {
  const answer = { type: 'coffer-sign-in', state, code: query.get('code'), error: query.get('error') }
  window.opener.postMessage(answer, origin)
}
window.close()
