import { useLatchkey } from '../app/context.ts'
import { enButtons } from './enButtons.ts'

/**
 * Looks up the messages that are available before the modal's code. None of them has a plural, so
 * they need no {@link createT}.
 */
export function useButtonT(): (key: keyof typeof enButtons) => string {
  const { messages } = useLatchkey()
  return (key) => messages[key] ?? enButtons[key]
}
