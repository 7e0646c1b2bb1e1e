import { enConnecting } from './enConnecting.ts'

/**
 * English messages of the view that connects a wallet in several namespaces, which load with it.
 */
export const enNamespaces = {
  ...enConnecting,
  'several.hint': 'Which accounts do you want to connect? {name} will ask once for each.',
  'several.also': '{name} is connected. Do you also want to connect {namespaces}?',
  'several.complete': '{name} is connected.',
  'several.list': 'What {name} can connect',
  'several.all': 'Connect all',
  'several.next': 'Continue in {name} to connect {namespace}.',
  'several.skip': 'Skip {namespace}',
  'several.done': 'Done',
  'several.notNow': 'Not now',
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
