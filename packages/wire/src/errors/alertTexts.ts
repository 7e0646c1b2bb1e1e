/**
 * The second, longer sentence of each error that is an alert; an alert is shown once. Separate from
 * the table of errors, so that code that shows nothing does not load it. `{name}` is filled from
 * the error's data.
 */
export const alertTexts = {
  NETWORK_NOT_FOUND: 'Network not found - please make sure it is included in the networks array',
  PROJECT_ID_NOT_CONFIGURED:
    'Set `projectId` when you create the app. A server that you run yourself accepts `local`',
  INVALID_APP_CONFIGURATION:
    'The origin {origin} is not on the allowlist of this project. Pass it, with the other origins, to `latchkey project edit`',
  INVALID_PROJECT_ID:
    'The server does not know this project id. Add it with `latchkey project add`',
  SESSION_EXPIRED: 'Invalid session. Check the time settings of this device and connect again',
  FRAME_TIMEOUT:
    'There was an issue loading the embedded wallet. Please verify that your domain is allowed',
} as const satisfies Record<string, string>

/** The code of an error that is shown as an alert. */
export type AlertCode = keyof typeof alertTexts
