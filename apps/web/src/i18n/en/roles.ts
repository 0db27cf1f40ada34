export default {
  refusedPage: 'Not part of your role',
  refusedPageText: 'An owner of the shop can give you another role.',
}
