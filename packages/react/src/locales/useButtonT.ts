import { useLatchkey } from '../app/context.ts'
import { enButtons } from './enButtons.ts'

/**
 * Looks up the texts that are available before the modal's code is. None of them has a plural, so
 * that they need no {@link createT}.
 */
export function useButtonT(): (key: keyof typeof enButtons) => string {
  const { messages } = useLatchkey()
  return (key) => messages[key] ?? enButtons[key]
}
