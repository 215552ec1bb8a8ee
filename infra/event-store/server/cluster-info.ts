import { gossip, serverFeatures, shared } from '../protobuf/vendor.ts';

/** The emulated version, by which clients choose features. */
const SERVER_VERSION = '24.10.0';

const METHODS: readonly (readonly [service: string, methods: readonly string[]])[] = [
  ['event_store.client.streams.Streams', ['read', 'append', 'delete', 'tombstone', 'batchappend']],
  ['event_store.client.gossip.Gossip', ['read']],
  ['event_store.client.server_features.ServerFeatures', ['getsupportedmethods']],
];

/** The supported methods, by which a client detects batch appends. */
export function supportedMethods(): InstanceType<typeof serverFeatures.SupportedMethods> {
  const methods = METHODS.flatMap(([service, names]) =>
    names.map((name) => new serverFeatures.SupportedMethod().setServiceName(service).setMethodName(name)),
  );
  return new serverFeatures.SupportedMethods()
    .setEventStoreServerVersion(SERVER_VERSION)
    .setMethodsList(methods);
}

/** A cluster of this one node, its own leader, so that `esdb+discover://` finds it too. */
export function clusterOf(
  instanceId: string,
  { host, port }: { readonly host: string; readonly port: number },
): InstanceType<typeof gossip.ClusterInfo> {
  const member = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(instanceId))
    .setTimeStamp(String(Date.now()))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));
  return new gossip.ClusterInfo().setMembersList([member]);
}
