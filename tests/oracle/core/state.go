package oracle

import (
	"slices"

	"github.com/apache/yunikorn-core/pkg/common/resources"
	"github.com/apache/yunikorn-core/pkg/scheduler"
	"github.com/apache/yunikorn-core/pkg/webservice/dao"
	"github.com/apache/yunikorn-scheduler-interface/lib/go/si"
)

// snapshot is what queues, nodes and applications look like.
func snapshot(partition *scheduler.PartitionContext) map[string]any {
	queues := map[string]any{}
	var walk func(queue dao.PartitionQueueDAOInfo)
	walk = func(queue dao.PartitionQueueDAOInfo) {
		queues[queue.QueueName] = map[string]any{
			"allocated":    nonzero(queue.AllocatedResource),
			"pending":      nonzero(queue.PendingResource),
			"preempting":   nonzero(queue.PreemptingResource),
			"priority":     queue.CurrentPriority,
			"status":       queue.Status,
			"leaf":         queue.IsLeaf,
			"managed":      queue.IsManaged,
			"running_apps": queue.RunningApps,
		}
		for _, child := range queue.Children {
			walk(child)
		}
	}
	walk(partition.GetPartitionQueues())
	nodes := map[string]any{}
	for _, node := range partition.GetNodes() {
		keys := []string{}
		for _, allocation := range node.GetYunikornAllocations() {
			keys = append(keys, allocation.GetAllocationKey())
		}
		slices.Sort(keys)
		reservations := node.GetReservationKeys()
		slices.Sort(reservations)
		nodes[node.NodeID] = map[string]any{
			"capacity":     plain(node.GetCapacity()),
			"allocated":    nonzero(plain(node.GetAllocatedResource())),
			"available":    plain(node.GetAvailableResource()),
			"occupied":     nonzero(plain(node.GetOccupiedResource())),
			"schedulable":  node.IsSchedulable(),
			"allocations":  keys,
			"reservations": reservations,
		}
	}
	applications := map[string]any{}
	for _, each := range partition.GetApplications() {
		applications[each.ApplicationID] = map[string]any{
			"state":       each.CurrentState(),
			"queue":       each.GetQueuePath(),
			"allocated":   nonzero(plain(each.GetAllocatedResource())),
			"pending":     nonzero(plain(each.GetPendingResource())),
			"placeholder": nonzero(plain(each.GetPlaceholderResource())),
		}
	}
	for _, each := range partition.GetCompletedApplications() {
		applications[each.ApplicationID] = map[string]any{"state": each.CurrentState(), "queue": each.GetQueuePath()}
	}
	for _, each := range partition.GetRejectedApplications() {
		applications[each.ApplicationID] = map[string]any{"state": each.CurrentState()}
	}
	return map[string]any{"queues": queues, "nodes": nodes, "apps": applications}
}

func asked(amounts Amounts) *si.Resource {
	if amounts == nil {
		return nil
	}
	made := &si.Resource{Resources: map[string]*si.Quantity{}}
	for name, amount := range amounts {
		made.Resources[name] = &si.Quantity{Value: amount}
	}
	return made
}

func plain(resource *resources.Resource) Amounts {
	made := Amounts{}
	if resource != nil {
		for name, amount := range resource.Resources {
			made[name] = int64(amount)
		}
	}
	return made
}

func nonzero(amounts Amounts) Amounts {
	made := Amounts{}
	for name, amount := range amounts {
		if amount != 0 {
			made[name] = amount
		}
	}
	return made
}
