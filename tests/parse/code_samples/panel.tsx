import React from "react";

type Props = { name: string };

/** A panel. */
export const Panel: React.FC<Props> = ({ name }) => (
  <section>
    <h1>{name}</h1>
  </section>
);

export default class Frame extends React.Component<Props> {
  state = { open: false };

  render() {
    return <Panel {...this.props} />;
  }
}
