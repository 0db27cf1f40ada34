export default {
  tabs: 'Main areas',
  home: 'Home',
  records: 'Records',
  collect: 'Collect',
  assets: 'Assets',
  me: 'Me',
  back: 'Back',
  refreshing: 'Refreshing',
  // Lists
  filters: 'Filters',
  showResults: 'Show results',
  details: 'Details',
  // Amounts that can be hidden
  hide: 'Hide amounts',
  show: 'Show amounts',
  hidden: 'Hidden',
}
