import { accounts } from '../../accounts.ts'
import { texts as own } from '../../texts.ts'
import { texts } from '../texts.ts'
import type { Scope } from './sessionScope.ts'

/** Checkboxes for networks and accounts. Networks in `required` stay checked. */
export function ScopeFields({
  chains,
  scope,
  onChange,
}: {
  chains: readonly { id: string; name: string; required: boolean }[]
  scope: Scope
  onChange: (scope: Scope) => void
}) {
  return (
    <>
      {chains.length > 0 && (
        <fieldset>
          <legend>{texts.networks}</legend>
          {chains.map(({ id, name, required }) => (
            <Check
              key={id}
              testId={`allow-chain-${id.split(':')[1]}`}
              checked={scope.chains.includes(id)}
              disabled={required}
              onToggle={() => onChange({ ...scope, chains: toggle(scope.chains, id) })}
            >
              {name}
              {required && <em> {texts.required}</em>}
            </Check>
          ))}
        </fieldset>
      )}
      <AccountChecks
        indexes={scope.indexes}
        onChange={(indexes) => onChange({ ...scope, indexes })}
      />
    </>
  )
}

/** Checkboxes for accounts. */
export function AccountChecks({
  indexes,
  onChange,
}: {
  indexes: readonly number[]
  onChange: (indexes: readonly number[]) => void
}) {
  return (
    <fieldset>
      <legend>{texts.accounts}</legend>
      {accounts.map((address, index) => (
        <Check
          key={address}
          testId={`allow-account-${index}`}
          checked={indexes.includes(index)}
          onToggle={() => onChange(toggle(indexes, index))}
        >
          <span title={address}>
            {own.account(index)} <small>{`${address.slice(0, 4)}…${address.slice(-6)}`}</small>
          </span>
        </Check>
      ))}
    </fieldset>
  )
}

function Check({
  testId,
  checked,
  disabled = false,
  onToggle,
  children,
}: {
  testId: string
  checked: boolean
  disabled?: boolean
  onToggle: () => void
  children: React.ReactNode
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        data-testid={testId}
        checked={checked}
        disabled={disabled}
        onChange={onToggle}
      />
      <span>{children}</span>
    </label>
  )
}

// Keeps the order in which items were checked: the first account is the account in use.
const toggle = <Value,>(all: readonly Value[], one: Value): readonly Value[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]
