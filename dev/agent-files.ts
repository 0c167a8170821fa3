/** The browser tests that start an agent; the others start only a server. An agent's loopback port exists only once in a namespace. */
export const agentFiles =
  /(?:^|\/)(agent-(holds|link|owner|sites|window)[\w-]*|allow-list-agent|coached|false-alarm|link-by-code|free-agent|hand-over|loopback-permission|policies-agent|(held-request-)?story|screens\/axe)\.e2e\.ts$/;
