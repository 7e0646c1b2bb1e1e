import { enConnecting } from './enConnecting.ts'

/**
 * English messages of the view that connects a wallet in several namespaces, which load with it.
 */
export const enNamespaces = {
  ...enConnecting,
  'several.hint': 'Which accounts do you want to connect? {name} will ask once for each.',
  'several.list': 'What {name} can connect',
  'several.all': 'Connect all',
  'several.next': 'Continue in {name} to connect {namespace}.',
  'several.skip': 'Skip {namespace}',
  'several.done': 'Done',
  'several.waiting': 'Waiting',
  'several.connected': 'Connected',
  'several.declined': 'Declined',
  'several.skipped': 'Skipped',
  'several.failed': 'Failed',
  'several.blocked': 'Needs a click',
  'several.blockedHint':
    'The browser may have blocked the wallet’s window. Press Continue to connect {namespace}.',
  'several.continue': 'Continue',
} as const
