"""
A whole OpenStack Swift with its S3 API in one process: proxy, account, container and object server, with one device and one
replica, below the directory that is the first argument. The second is the proxy's port. Ends with its stdin.
"""
import os
import sys

import eventlet
import eventlet.hubs
import eventlet.patcher

eventlet.hubs.use_hub('poll')
eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

import swift.common.utils as utils

root, proxy_port = sys.argv[1], int(sys.argv[2])
utils.SWIFT_CONF_FILE = os.path.join(root, 'swift.conf')


def write(name, text):
    path = os.path.join(root, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = only\ndefault = yes\n')

from eventlet import wsgi
from eventlet.green import select
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

DEFAULTS = """
[DEFAULT]
swift_dir = {root}
devices = {root}/devices
mount_check = false
log_level = ERROR
log_address = {root}/no-syslog
fallocate_reserve = 0
disable_fallocate = true
"""
STORAGE = DEFAULTS + """
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""
PROXY = DEFAULTS + """
[pipeline:main]
pipeline = catch_errors s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
min_segment_size = 1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
"""


class Cache:
    """What the proxy asks of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, **_options):
        self.values[key] = value

    def incr(self, key, delta=1, **_options):
        self.values[key] = max(0, self.values.get(key, 0) + delta)
        return self.values[key]

    def delete(self, key, **_options):
        self.values.pop(key, None)


def with_cache(app):
    cache = Cache()

    def call(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return call


def serve(sock, app):
    eventlet.spawn(wsgi.server, sock, app, log_output=False, minimum_chunk_size=1)


def device_at(port):
    at = {'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1', 'replication_port': port}
    return {'id': 0, 'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1, 'meta': '', **at}


os.makedirs(os.path.join(root, 'devices', 'd1'))
for kind in ('account', 'container', 'object'):
    sock = eventlet.listen(('127.0.0.1', 0))
    ring = RingBuilder(4, 1, 1)
    ring.add_dev(device_at(sock.getsockname()[1]))
    ring.rebalance()
    ring.get_ring().save(os.path.join(root, kind + '.ring.gz'))
    serve(sock, loadapp(write(kind + '.conf', STORAGE.format(root=root, kind=kind))))

proxy = loadapp(write('proxy.conf', PROXY.format(root=root)))
serve(eventlet.listen(('127.0.0.1', proxy_port)), with_cache(proxy))
print('ready', flush=True)
select.select([sys.stdin], [], [])
