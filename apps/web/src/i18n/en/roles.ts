export default {
  refusedPage: 'Not part of your role',
  refusedPageText: 'An owner of the shop can give you another role.',
  factorNeeded:
    'This shop requires a second factor: bind an authenticator or add a passkey on this page. Until then nothing else works.',
}
