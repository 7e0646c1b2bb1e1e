/** The methods and subscriptions that clients may use on the chains of a namespace. */
export type RpcProtocol = {
  readonly methods: ReadonlySet<string>
  /** Methods that are allowed on test networks only. */
  readonly testnetMethods: ReadonlySet<string>
  /**
   * The raw JSON result if the method needs no node, otherwise undefined. `reference` is the
   * chain's CAIP-2 reference.
   */
  localResult(reference: string, method: string): string | undefined
  readonly subscriptions: SubscriptionProtocol
}

export type SubscriptionProtocol = {
  /** The supported subscriptions, as part of an error message. */
  readonly offer: string
  readonly subscribe: ReadonlySet<string>
  readonly unsubscribe: ReadonlySet<string>
  /** Reads a call of a `subscribe` method. Undefined if that cannot be subscribed to. */
  read(method: string, params: string): Subscription | undefined
  /** A client's id of its `count`th subscription, as raw JSON. */
  createId(count: number): string
}

/** A subscription at a node. Equal subscriptions have equal `method` and `params`. */
export type Subscription = {
  readonly method: string
  /** Raw JSON. */
  readonly params: string
  readonly unsubscribe: string
  /** The method of its notifications. */
  readonly notification: string
  /** The node ends the subscription with its first notification. */
  readonly isSingle: boolean
}
