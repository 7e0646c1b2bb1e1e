/** English messages of search, filter and export above the activity, which load with them. */
export const enActivityTools = {
  'tools.search': 'Search by name, amount or note',
  'tools.kind': 'Kind',
  'tools.all': 'All',
  'tools.received': 'Received',
  'tools.sent': 'Sent',
  'tools.swapped': 'Swapped',
  'tools.other': 'Other',
  'tools.none': 'No transactions match',
  'tools.found': { one: '{count} transaction matches', other: '{count} transactions match' },
  'tools.partly':
    'Only the transactions that are loaded were searched. “Load more” adds older ones.',

  'export.start': 'Export CSV',
  'export.reading': 'Reading… {count}',
  'export.prices': 'Reading prices… {done} of {count}',
  'export.done': {
    one: '{count} transaction exported',
    other: '{count} transactions exported',
  },
  'export.cut': 'Only the newest {count} transactions were exported.',
  'export.searching': 'Older activity is still being read. Export again later to have all of it.',
  'export.worthMissing':
    'Some prices could not be read, so some worths are empty. Export again later to have them.',
  'export.worthCut': 'There are too many tokens to read all prices, so some worths are empty.',
  'export.failed': 'The activity could not be exported',
} as const
